/** iPadOS calls itself a Mac, but Macs have no touch screen. */
const isApplePhone = ({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>) =>
  /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)

const isInstalled = () =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true

/** iOS deletes what a page keeps after seven days without use, unless the page is on the home screen or may keep it. */
export async function mayBeEvicted(): Promise<boolean> {
  if (!isApplePhone(navigator) || isInstalled()) return false
  return !(await navigator.storage?.persisted?.().catch(() => false))
}
