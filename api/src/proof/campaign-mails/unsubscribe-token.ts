import { isValidSignature, sign } from '../../platform/files/signature.ts'

export const UNSUBSCRIBE_REPORT_PATH = '/unsubscribe-report'
const PURPOSE = 'unsubscribe-report'

/** The link that ends the reports of one program to one address. It works for as long as the address is kept. */
export const unsubscribeReportUrl = (publicUrl: string, recipientUid: string): string =>
  new URL(`${UNSUBSCRIBE_REPORT_PATH}?token=${recipientUid}.${sign(PURPOSE, recipientUid)}`, publicUrl).href

/** The recipient that a token is for; undefined if this deployment did not sign it. */
export function readReportToken(token: string): string | undefined {
  const [recipientUid = '', signature = ''] = token.split('.')
  return isValidSignature(signature, PURPOSE, recipientUid) ? recipientUid : undefined
}
