"""What pages do with each kind of question: cautions, examples, made-up answers."""
