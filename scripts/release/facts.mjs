/**
 * What the data of a release say through its API, so that every later version can be compared with it: who signs in, how
 * many of each record, shifts, plays, published pages with their hashes, pay. Only what does not depend on the time of day.
 */

/**
 * @typedef {{ status: number, body: any, sha256: string }} Answer
 * @typedef {(method: string, path: string, given?: { token?: string, body?: object }) => Promise<Answer>} Send
 * @typedef {{ logins: { email: string, password: string }[], from: string, to: string, links: string[] }} About
 */

const LISTS = [
  'artwork-sets/run',
  'gps-address-sets/run',
  'clients/run',
  'markets/run',
  'client-programs/run',
  'client-pop/run',
  'client-pop/photos/run',
  'trucks/run',
  'devices/run',
  'pixel/',
  'user/info/run',
  'program-schedule/run',
  'payroll/periods/run',
]

/** @param {Send} send @param {About} about */
export async function readFacts(send, { logins, from, to, links }) {
  const people = []
  for (const { email, password } of logins) people.push(await signIn(send, email, password))
  const token = people[0]?.token
  const get = async (/** @type {string} */ path) => {
    const { status, body } = await send('GET', path, { token })
    if (status !== 200) throw new Error(`${path} answers ${status}: ${JSON.stringify(body)}`)
    return body
  }
  return {
    people: people.map(({ email, name, role }) => ({ email, name, role })),
    totals: await totalsOf(get),
    shifts: await shiftsOf(get, from, to),
    plays: await playsOf(get),
    pages: await pagesOf(send, get),
    pay: await payOf(get, from, to),
    links: await linksOf(send, links),
  }
}

/** @param {Send} send @param {string} email @param {string} password */
async function signIn(send, email, password) {
  const body = { email, password, clientType: 'web' }
  const answer = await send('POST', 'authentication/authenticate', { body })
  if (answer.status !== 200) throw new Error(`${email} cannot sign in: ${JSON.stringify(answer.body)}`)
  const { token, user } = answer.body.data
  return { token, email, name: user.name, role: user.role }
}

/** @typedef {(path: string) => Promise<any>} Get */

/** @param {Get} get */
async function totalsOf(get) {
  /** @type {Record<string, number>} */
  const totals = {}
  for (const path of LISTS) totals[path] = (await get(`${path}?pageSize=1`)).total
  return totals
}

/** Every row of a list. @param {Get} get @param {string} path with a query @returns {Promise<any[]>} */
async function rowsOf(get, path) {
  const rows = []
  for (let page = 1; ; page++) {
    const { data, total } = await get(`${path}&page=${page}&pageSize=200`)
    rows.push(...data)
    if (rows.length >= total || data.length === 0) return rows
  }
}

/** @param {Get} get @param {string} from @param {string} to */
async function shiftsOf(get, from, to) {
  const rows = await rowsOf(get, `program-schedule/details/run?from=${from}&to=${to}`)
  const said = rows.map(({ uid, status, startsAt, endsAt, startedAt, stoppedAt, plays, photos }) => ({
    shift: uid,
    said: [status, startsAt, endsAt, startedAt, stoppedAt, plays.count, plays.verified, plays.conflict, photos].join(
      ' ',
    ),
  }))
  return said.toSorted((one, other) => (one.shift < other.shift ? -1 : 1))
}

const dayAfter = (/** @type {string} */ day, /** @type {number} */ days) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** @param {Get} get */
async function playsOf(get) {
  const { data } = await get('ad-log-report/client-program-lookup?pageSize=200')
  const plays = []
  for (const { uid, name, firstDay, lastDay } of data) {
    // The day of a play at night is not the same in every version.
    const query = `program=${uid}&from=${dayAfter(firstDay, -1)}&to=${dayAfter(lastDay, 1)}`
    const { total } = (await get(`ad-log-report/summary?${query}`)).data
    const listed = (await get(`ad-log-report/run?${query}&pageSize=1`)).total
    const counted = { plays: total.plays, seconds: total.seconds, verified: total.verified, conflict: total.conflict }
    plays.push({ program: name, listed, ...counted })
  }
  return plays
}

/** Published pages: every version with its hash, and the bytes of the page that the public opens. @param {Send} send @param {Get} get */
async function pagesOf(send, get) {
  const rows = await rowsOf(get, 'client-pop/run?sort=name')
  const pages = []
  for (const { uid, popUrl, shownVersion } of rows) {
    const versions = (await get(`client-pop/${uid}/versions`)).data
    if (versions.length === 0) continue
    const open = await send('GET', `public/pop/${popUrl}/document`)
    pages.push({
      popUrl,
      shownVersion,
      versions: versions.map(({ number, note, sha256 }) => `${number} ${note} ${sha256}`),
      status: open.status,
      ...(open.status === 200 && { bytes: open.sha256, pictures: await picturesOf(send, popUrl, open.body) }),
    })
  }
  return pages
}

/** @param {Send} send @param {string} popUrl @param {any} document */
async function picturesOf(send, popUrl, document) {
  const keys = [...JSON.stringify(document).matchAll(/"key":"([0-9a-f]{32})"/g)].map(([, key]) => key)
  const pictures = []
  for (const key of new Set(keys)) {
    const { status, sha256 } = await send('GET', `public/pop/${popUrl}/pictures/${key}/small`)
    pictures.push(`${key} ${status === 200 ? sha256 : status}`)
  }
  return pictures
}

/** @param {Get} get @param {string} from @param {string} to */
async function payOf(get, from, to) {
  const rows = await rowsOf(get, `payroll/run?from=${from}&to=${to}`)
  const { totals } = await get(`payroll/run?from=${from}&to=${to}&pageSize=1`)
  const periods = await rowsOf(get, 'payroll/periods/run?sort=from')
  return {
    cents: totals.cents,
    overtimeCents: totals.overtimeCents,
    periods: periods.map((period) => `${period.from} ${period.to} ${period.state} ${period.cents}`),
    drivers: rows
      .map(({ driver, halfDay, eightHours, twelveHours, unpaid, shiftCents, adjustmentCents, cents }) =>
        [driver.uid, halfDay, eightHours, twelveHours, unpaid, shiftCents, adjustmentCents, cents].join(' '),
      )
      .toSorted(),
  }
}

/** What opens without an account. @param {Send} send @param {string[]} links */
async function linksOf(send, links) {
  const opened = []
  for (const link of links) opened.push(`${(await send('GET', link)).status} ${link}`)
  return opened
}
