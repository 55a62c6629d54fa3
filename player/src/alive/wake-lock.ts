/** Keeps the display on. The browser ends the lock when the page is hidden, so it is asked for again. */
export function keepAwake(): void {
  const ask = async () => {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
    await navigator.wakeLock.request('screen').catch(() => undefined)
  }
  document.addEventListener('visibilitychange', () => void ask())
  void ask()
}
