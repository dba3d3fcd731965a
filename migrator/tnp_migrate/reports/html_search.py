"""A field that searches the page: functions, files and rows of the ledger that have all of the words stay in sight."""

from __future__ import annotations

import base64
import hashlib

STYLE = """
.search { position: sticky; top: 0; background: Canvas; padding: .4rem 0; z-index: 1; }
.search input { font: inherit; width: min(30rem, 70%); } .unfound { display: none; }
"""
SCRIPT = """
const field = document.querySelector(".search");
const parts = [...document.querySelectorAll(".functions tr:not(.head), .ledger tr:not(.head), .files > details")];
const texts = parts.map((part) => part.textContent.toLowerCase());
field.hidden = false;
field.querySelector("input").addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const found = texts.map((text) => words.every((word) => text.includes(word)));
  parts.forEach((part, place) => part.classList.toggle("unfound", !found[place]));
  field.querySelector("output").textContent = words.length ? `${found.filter(Boolean).length} of ${parts.length}` : "";
});
"""
# The one script that the page may run, by what it says: no text of the user's can be another.
POLICY = f"script-src 'sha256-{base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()}'"
# Out of sight where no script runs.
FIELD = (
    '<p class="search" hidden><label>Search <input type="search" placeholder="function, file, code, words">'
    "</label> <output></output></p>"
)
ELEMENT = f"<script>{SCRIPT}</script>"
