const AWAY_SYSTEM = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']
const AWAY_NAMES = ['ENOTFOUND', 'EAI_AGAIN']
// The server is away, starting, stopping, out of connections or memory, or not the one that may write.
const AWAY_SERVER = ['08000', '08001', '08003', '08006', '25006', '53200', '53300', '57P01', '57P02', '57P03']
const AWAY = new Set([AWAY_SYSTEM, AWAY_NAMES, AWAY_SERVER].flat())
// Errors of pg itself carry no code.
const AWAY_PG =
  /^Connection terminated|^Client (has encountered a connection error|was closed)|^Query read timeout|^timeout (expired|exceeded when trying to connect)/

// Another transaction held a lock for too long; a retry usually succeeds.
const BUSY = ['40001', '40P01', '55P03']

// The disk of the database or of the files is full.
const FULL = ['53100', 'ENOSPC', 'EDQUOT']

// A worker of a cluster is away: what the coordinator says of it often has no code of its own. The second line is what its
// connection to the worker says.
const AWAY_WORKER = new RegExp(
  '^(connection (to the remote node|not open)|failed to COPY to shard|failure on connection marked as essential|' +
    'terminating connection|server closed the connection|SSL SYSCALL error|SSL connection has been closed|' +
    'could not (receive data from|send data to) server|no connection to the server|lost connection to)',
)

/** What went wrong, as far as it is known. */
export type Failure = { code?: string | undefined; message?: string | undefined }

/** Whether an error says that the database cannot be reached at the moment. */
export const isDatabaseAway = ({ code = '', message = '' }: Failure): boolean => AWAY.has(code) || AWAY_PG.test(message)

/** Names the kind of a failure that passes by itself or that an operator has to end; undefined for a defect of ours. */
export function passingFailure(error: Failure): 'away' | 'busy' | 'full' | undefined {
  const { code = '', message = '' } = error
  if (FULL.includes(code)) return 'full'
  if (BUSY.includes(code)) return 'busy'
  return isDatabaseAway(error) || AWAY_WORKER.test(message) ? 'away' : undefined
}
