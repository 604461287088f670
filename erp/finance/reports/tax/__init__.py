"""VAT returns: computing, filing, and their payable entries."""
