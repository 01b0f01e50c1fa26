"""Two audits of a mechanism's claim: an exact proof from its channel, and a black-box test of its samples."""
