/** The first line of an error, without its full stop: errors of a host with several addresses have a code only. */
export function reasonOf(error: unknown): string {
  const { message = '', code = '' } = error as { message?: string; code?: string }
  return (message || code || String(error)).split('\n')[0]?.replace(/[.\s]+$/, '') ?? ''
}
