import { createHmac } from 'node:crypto'
import type { openAzureStore as open } from './azure-store.ts'

export const accountKeyOf = (connection: string) => /(?:^|;)AccountKey=([^;]+)/i.exec(connection)?.[1]

/** A secret that all nodes with this connection string share, so that each accepts the URLs that another signed. */
export function azureSigningSecret(connection: string): Buffer {
  return createHmac('sha256', accountKeyOf(connection) ?? '')
    .update('addresses of files')
    .digest()
}

/** The client of the account is loaded only where there is one: it takes a tenth of a node's start. */
export const openAzureStore: typeof open = async (...account) =>
  (await import('./azure-store.ts')).openAzureStore(...account)
