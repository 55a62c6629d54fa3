/** The call for the day that the page makes before the app itself has loaded. */
export interface FirstCall {
  token: string
  /** By the phone's clock. */
  askedAt: number
  /** Set with the answer, which may wait for the app. */
  answeredAt?: number
  response: Promise<Response>
}

declare global {
  // Two scripts of one page share it.
  var driverFirstCall: FirstCall | undefined
}

/** The call that was made early, once, if it was made with this token. */
export function takeFirstCall(token: string): FirstCall | undefined {
  const made = globalThis.driverFirstCall
  globalThis.driverFirstCall = undefined
  return made?.token === token ? made : undefined
}
