/** A reason the app cannot start that its operator can mend; the message is the one sentence to print. */
export class StartError extends Error {
  override name = 'StartError'
}
