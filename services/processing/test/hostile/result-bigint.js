// An integer without bounds.
// ends: the value must be a number
return 10n ** 400n
