import { DRIVER_PATH } from '@roadshow/contract/platform/constants'
import { navigate } from './router.tsx'

/** Opens the page of a notification that was tapped in this window; pages of the console replace the app. */
export function openNotifications(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<{ open?: unknown }>) => {
    if (typeof data?.open !== 'string') return
    ports[0]?.postMessage('opened')
    const { pathname, href } = new URL(data.open, location.origin)
    const isOurs = pathname === DRIVER_PATH || pathname.startsWith(`${DRIVER_PATH}/`)
    if (isOurs) navigate(pathname.slice(DRIVER_PATH.length) || '/')
    else location.assign(href)
  })
}
