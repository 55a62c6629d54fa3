import { createHmac } from 'node:crypto'

export const accountKeyOf = (connection: string) => /(?:^|;)AccountKey=([^;]+)/i.exec(connection)?.[1]

/** A secret that all nodes with this connection string share, so that each accepts the URLs that another signed. */
export function azureSigningSecret(connection: string): Buffer {
  return createHmac('sha256', accountKeyOf(connection) ?? '')
    .update('addresses of files')
    .digest()
}
