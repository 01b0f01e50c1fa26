"""What several families of mechanisms share."""
