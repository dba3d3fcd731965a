"""The backend stage: the references of one file in, out decisions that move them to TensorFlow, by the rules' text.

One module for each kind of place: names, methods, operators, types, imports; `plan` runs them in order.
"""
