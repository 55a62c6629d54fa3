import pg from 'pg'

/** Runs work on a connection of its own. It reads and writes times in one form, whatever the server's own. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  // The running statement reports the failure; without a listener the event would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(`set timezone = 'UTC'; set datestyle = 'ISO'`)
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Whether a table exists: a backup may be older than the table. */
export const hasTable = async (client: pg.Client, name: string): Promise<boolean> =>
  (await client.query<{ is: boolean }>('select to_regclass($1) is not null as is', [name])).rows[0]?.is ?? false
