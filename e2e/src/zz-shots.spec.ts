import {
  addAddressSet,
  addArtworkSet,
  addClient,
  addPixelMap,
  addProgram,
  addUser,
  expect,
  PHONE,
  signIn,
  test,
} from './world.ts'
const screens = {
  clients: addClient,
  'client-programs': addProgram,
  artworks: addArtworkSet,
  'gps-addresses': addAddressSet,
  pixel: addPixelMap,
  users: async (page: never) => {
    const u = await addUser(page, { role: 'driver', modules: ['schedule'], payRates: [] })
    return { uid: u.userUid, name: u.name }
  },
} as const
for (const [path, add] of Object.entries(screens))
  test(`shots ${path}`, async ({ page }) => {
    await signIn(page, 'admin')
    const made = await add(page as never)
    for (const [size, viewport] of [
      ['d', { width: 1440, height: 900 }],
      ['p', PHONE],
    ] as const) {
      await page.setViewportSize(viewport)
      await page.goto(`/${path}`)
      await page.waitForLoadState('networkidle')
      await page.screenshot({ path: `/tmp/shots/${path}-list-${size}.png` })
      await page.goto(`/${path}?open=${made.uid}`)
      await expect(page.getByRole('dialog').getByLabel('Name').first()).toHaveValue(made.name)
      await page.waitForLoadState('networkidle')
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
      await page.screenshot({ path: `/tmp/shots/${path}-drawer-${size}.png` })
    }
  })
