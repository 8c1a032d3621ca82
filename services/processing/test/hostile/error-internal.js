// An error of the engine that is none.
// ends: interrupted
throw new InternalError('interrupted')
