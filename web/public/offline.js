// Stands in for a page that could not be loaded, under the address of that page, and loads it as soon as it can.

const CHECK_MS = 5000

const reload = () => location.reload()
document.querySelector('button')?.addEventListener('click', reload)
addEventListener('online', reload)

async function check() {
  const answer = await fetch('/readyz', { cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok) reload()
}
setInterval(() => void check(), CHECK_MS)
