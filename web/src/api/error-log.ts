import type { errorLog } from '@roadshow/contract/console/error-log'
import { endpointWithoutSchemas, call } from './call.ts'
import { savedUserUid } from './session.ts'

const report = endpointWithoutSchemas<typeof errorLog.report>({ method: 'POST', path: 'web-log/', access: 'public' })

const describe = (error: unknown) =>
  error instanceof Error
    ? { name: error.name, message: error.message, stack: error.stack?.slice(0, 8000) }
    : String(error)

/** Posts an error of the web app to the server. It never fails itself: reporting must not make things worse. */
export async function reportError(errorOrigin: string, error: unknown): Promise<void> {
  const userUid = savedUserUid()
  const meta = { ...(userUid && { userUid }), path: location.pathname }
  await call(report, { body: { errorOrigin, error: describe(error), meta } }).catch(() => undefined)
}

/** Reports what nothing else caught. */
export function reportUncaught(): void {
  window.addEventListener('error', (event) => void reportError('window.error', event.error ?? event.message))
  window.addEventListener('unhandledrejection', (event) => void reportError('unhandledrejection', event.reason))
}
