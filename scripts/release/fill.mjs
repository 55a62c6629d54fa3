import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const DEMO_PASSWORD = 'big-truck-demo'
const DAY_MS = 86_400_000
const STILL_MS = 60_000

/**
 * Works on the demo through the API as an office does: users with passwords of their own, a setting, a published page, a
 * link without an account, a locked pay period.
 * @param {import('./facts.mjs').Send} send
 * @param {string} mailFolder where a node without a mail server writes its mails
 * @returns {Promise<import('./facts.mjs').About>}
 */
export async function fillData(send, mailFolder) {
  const token = await signIn(send, 'admin@roadshow.example', DEMO_PASSWORD)
  const office = asUser(send, token)
  await untilRecorded(office)
  await addUser(send, office, mailFolder)
  await changeSetting(office)
  await publishPage(office)
  const { from, to } = await lockPay(office)
  const driver = asUser(send, await signIn(send, 'driver@roadshow.example', DEMO_PASSWORD))
  const { url } = (await driver('POST', 'program-user-schedule/calendar-link')).data
  return {
    logins: [
      { email: 'admin@roadshow.example', password: DEMO_PASSWORD },
      { email: 'ines@roadshow.example', password: 'seven wet boots' },
      { email: 'sales@roadshow.example', password: 'nine dry gloves' },
      { email: 'driver@roadshow.example', password: DEMO_PASSWORD },
      { email: 'client@roadshow.example', password: DEMO_PASSWORD },
    ],
    from,
    to,
    links: [url.replace(/^.*\/api\/v1\//, '')],
  }
}

const dayOf = (/** @type {number} */ time) => new Date(time).toISOString().slice(0, 10)

/** @typedef {(method: string, path: string, body?: object) => Promise<any>} Call */

/** Calls that must succeed. @param {import('./facts.mjs').Send} send @param {string} [token] @returns {Call} */
const asUser = (send, token) => async (method, path, body) => {
  const answer = await send(method, path, { ...(token && { token }), ...(body && { body }) })
  if (answer.status === 200) return answer.body
  throw new Error(`${method} ${path} answers ${answer.status}: ${JSON.stringify(answer.body)}`)
}

/** @param {import('./facts.mjs').Send} send @param {string} email @param {string} password */
async function signIn(send, email, password) {
  const { data } = await asUser(send)('POST', 'authentication/authenticate', { email, password, clientType: 'web' })
  return data.token
}

/** An invited user sets a password, and another one a new password. @param {import('./facts.mjs').Send} send @param {Call} office @param {string} mailFolder */
async function addUser(send, office, mailFolder) {
  const user = { name: 'Ines Vega', email: 'ines@roadshow.example', role: 'sales', modules: ['clients', 'schedule'] }
  await office('POST', 'user/', user)
  const stranger = asUser(send)
  const setPassword = async (/** @type {string} */ email, /** @type {string} */ password) =>
    stranger('POST', 'authentication/password-reset', { token: await mailedToken(mailFolder, email), password })
  await setPassword(user.email, 'seven wet boots')
  await stranger('POST', 'authentication/forgot-password-mail', { email: 'sales@roadshow.example' })
  await setPassword('sales@roadshow.example', 'nine dry gloves')
}

/** The token in the mail to an address, once it is there. @param {string} folder @param {string} email */
async function mailedToken(folder, email) {
  for (;;) {
    try {
      const file = readdirSync(folder).find((name) => name.endsWith(`${email}.eml`))
      const text = readFileSync(path.join(folder, file ?? ''), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=')
      const token = /[?&]token=([\w-]+)/.exec(text)?.[1]
      if (token) return token
    } catch {
      // It is on its way.
    }
    await sleep(200)
  }
}

/** @param {Call} office */
async function changeSetting(office) {
  const { version, values } = (await office('GET', 'settings/')).data
  await office('PUT', 'settings/', { ...values, version, restGapHours: 9.5 })
}

/** Waits until the demo has recorded its past: it publishes pages, and for a while nothing more is added. @param {Call} office */
async function untilRecorded(office) {
  for (let before = ''; ;) {
    const { data } = await office('GET', 'client-pop/run?pageSize=200&sort=name')
    const said = JSON.stringify(data)
    if (said === before && data.some((/** @type {any} */ pop) => pop.shownVersion !== null)) return
    before = said
    await sleep(STILL_MS)
  }
}

/** Publishes a page that is not published yet, with photos if there is one. @param {Call} office */
async function publishPage(office) {
  const { data } = await office('GET', 'client-pop/run?pageSize=200&sort=name')
  const open = data.filter((/** @type {any} */ pop) => pop.shownVersion === null && pop.plays > 0)
  const page = open.find((/** @type {any} */ pop) => pop.photos > 0) ?? open[0]
  const { version } = (await office('GET', `client-pop/${page.uid}`)).data
  await office('POST', 'client-pop/program-pop', { uid: page.uid, version, note: 'Before the upgrade' })
}

/** Locks the two weeks after the last ones that are settled. @param {Call} office */
async function lockPay(office) {
  const settled = (await office('GET', 'payroll/periods/run?pageSize=200')).data.map(
    (/** @type {any} */ each) => each.to,
  )
  const last = settled.toSorted().at(-1) ?? dayOf(Date.now() - 25 * DAY_MS)
  const [from, to] = [1, 14].map((days) => dayOf(Date.parse(last) + days * DAY_MS))
  const path = `payroll/run?from=${from}&to=${to}`
  if ((await office('GET', path)).totals.undecided > 0) await decideAll(office, from, to)
  const { data, totals } = await office('GET', path)
  await office('POST', 'payroll/adjustments/', {
    driverUid: data[0].driver.uid,
    date: to,
    cents: 4250,
    note: 'Parking',
  })
  const { data: period } = await office('POST', 'payroll/periods/approve', { from, to, cents: totals.cents + 4250 })
  await office('PUT', 'payroll/periods/state', { uid: period.uid, version: period.version, state: 'locked' })
  return { from, to }
}

/** Pays every completed shift without evidence of work. @param {Call} office @param {string} from @param {string} to */
async function decideAll(office, from, to) {
  const { data } = await office('GET', `payroll/run?from=${from}&to=${to}&only=undecided&pageSize=200`)
  for (const { driver } of data) {
    const { lines } = (await office('GET', `payroll/statement?from=${from}&to=${to}&driver=${driver.uid}`)).data
    for (const { uid, needsDecision, override } of lines) {
      if (!needsDecision) continue
      const decision = { option: null, decision: 'pay', note: 'The driver was there.' }
      await office('PUT', 'payroll/override', { shiftUid: uid, version: override?.version ?? null, ...decision })
    }
  }
}
