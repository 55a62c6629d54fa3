/** A reason why the app cannot start that an operator can fix; the message is printed as it is. */
export class StartError extends Error {
  override name = 'StartError'
}
