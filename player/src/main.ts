import { Problems } from './alive/problems.ts'
import { Updates } from './alive/updates.ts'
import { keepAwake } from './alive/wake-lock.ts'
import { PairingScreen } from './pairing/pairing.ts'
import { TruckScreen } from './screen.ts'
import { DeviceDb, DeviceStore } from './store/device-store.ts'

const RESTART_MS = 5000

/** Paired it plays; otherwise it shows a code until it is. */
async function run(problems: Problems): Promise<void> {
  const updates = new Updates()
  // Without it the player plays all the same, only not after a start without network.
  updates.start().catch((error: unknown) => problems.report(String(error)))
  keepAwake()
  const db = new DeviceDb()
  const store = new DeviceStore(db)
  const macAddress = await store.macAddress()
  const key = (await store.read('key')) ?? (await pair(store, macAddress))
  const screen = await TruckScreen.open({ db, access: { macAddress, key }, problems, updates })
  await screen.ended
  await pair(store, macAddress)
  // Nothing of the pairing before is left in a new page.
  location.reload()
}

async function pair(store: DeviceStore, macAddress: string): Promise<string> {
  const screen = new PairingScreen(macAddress)
  try {
    const paired = await screen.paired()
    await store.become(paired)
    return paired.key
  } finally {
    screen.close()
  }
}

if (new URLSearchParams(location.search).has('self-test')) {
  const { showSelfTest } = await import('./alive/self-test.ts')
  await showSelfTest()
} else {
  const problems = new Problems()
  // A start that fails leaves the screen black and is tried again.
  run(problems).catch(() => setTimeout(() => location.reload(), RESTART_MS))
}
