// The server is away, starting, stopping, out of connections or memory, or not the one that may write.
const AWAY = ['08000', '08001', '08003', '08006', '25006', '53200', '53300', '57P01', '57P02', '57P03']
const AWAY_SYSTEM = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN']
// Errors of pg itself carry no code.
const AWAY_PG =
  /^Connection terminated|^Client (has encountered a connection error|was closed)|^timeout exceeded when trying to connect/

/** Whether an error means that a server is away, rather than that a statement is wrong. */
export function isAwayError(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return AWAY.includes(code) || AWAY_SYSTEM.includes(code) || AWAY_PG.test(message)
}
