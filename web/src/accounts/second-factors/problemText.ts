import { errorMessage } from '../../api/call.ts'
import { PasskeyError } from '../../api/passkey.ts'

/** The sentence for what went wrong, in the browser or on the server. */
export const problemText = (error: unknown): string =>
  error instanceof PasskeyError ? error.message : errorMessage(error)
