Columns
    Index Status        Lower        Upper       Primal         Dual  Type        Name
