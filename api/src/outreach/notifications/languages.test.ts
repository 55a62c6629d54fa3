import {
  auth,
  driverProfile,
  isForDrivers,
  type Language,
  notificationKinds,
  notifications,
  push,
  secondFactors,
  type Shift,
  type ShiftInput,
  shifts,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { PASSWORD, openFactors } from '../../accounts/second-factors/test-factors.ts'
import { mailChannel } from '../../platform/mail/channel.ts'
import { smtpMailer } from '../../platform/mail/mailer.ts'
import { readMail } from '../../platform/mail/test-mail-reader.ts'
import { startMailServer } from '../../platform/mail/test-mail-server.ts'
import { checkedChannel, recordEvents, sendDue } from '../../platform/outbox/index.ts'
import { pushChannel } from '../push/channel.ts'
import { findOrCreateKey } from '../push/keys.ts'
import { TestPushService } from '../push/test-push-service.ts'
import { checkBeforeSending } from './message-check.ts'
import { tellDrivers } from './shift-notices.ts'
import { openOutreach } from './test-outreach.ts'
import { notificationWords } from './words.ts'

const env = { publicUrl: 'https://console.example.com', mailFrom: 'Roadshow <ops@example.com>' }
const privateNetworks = ['127.0.0.1']
const world = await openWorld({ ...env, privateNetworks })
const { call, db } = world
const outreach = openOutreach(world)
const mailServer = await startMailServer()
const mailer = smtpMailer(`smtp://127.0.0.1:${mailServer.port}`, env.mailFrom)
const pushService = await TestPushService.open()
pushService.publicKey = (await findOrCreateKey(db)).publicKey
afterAll(async () => {
  mailer.close()
  pushService.close()
  await mailServer.stop()
})

const market = (await world.addMarket('Dallas')).uid
const program = await world.addProgram({
  name: 'Summer',
  startsOn: '2020-01-01',
  endsOn: '2099-12-31',
  markets: [{ marketUid: market }],
})

beforeEach(async () => {
  for (const table of ['notification', 'message', 'outbound_event', 'shift_notice'] as const)
    await db.deleteFrom(table).execute()
  mailServer.received.length = 0
  pushService.delivered.length = 0
  world.mails.length = 0
})

const failing = (error: unknown) => {
  throw error
}
const sending = { db, signal: new AbortController().signal, log: failing }

/** Sends what waits, by SMTP and by Web Push. */
async function deliver(): Promise<void> {
  const channels = [
    mailChannel({ mailer }),
    pushChannel({ db, env: { ...env, brandName: 'Roadshow', privateNetworks } }),
  ]
  for (const channel of channels) await sendDue(checkedChannel(channel, db, [checkBeforeSending]), sending)
}

/** A driver who chose a language, with notifications on on a phone. */
async function addDriver(language: Language | null) {
  const driver = await world.addUser('driver')
  await db.updateTable('user_account').set({ language }).where('uid', '=', driver.uid).execute()
  const phone = pushService.openBrowser()
  await call(push.subscribe, { body: phone.subscription }, { token: driver.token })
  const mails = () => mailServer.received.map(readMail).filter(({ to }) => to === driver.email)
  const pushes = () =>
    pushService.delivered
      .filter(({ browser }) => browser === phone)
      .map(({ text }) => JSON.parse(text) as { title: string; body: string })
  const bell = async () => (await call(notifications.list, { query: {} }, { token: driver.token })).body.data
  return { ...driver, mails, pushes, bell }
}

let trucks = 0
async function addShift(driverUid: string, given: Partial<ShiftInput> = {}): Promise<Shift> {
  const truck = { number: `T-${++trucks}`, kind: 'led', state: 'active' }
  const { uid } = await db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()
  const hours = { date: '2099-11-18', start: '20:00', end: '02:00' }
  const body = { truckUid: uid, driverUid, programUid: program.uid, marketUid: market, ...hours, ...given }
  const answer = await call(shifts.create, { body })
  expect(answer.status).toBe(200)
  return answer.body.data
}

async function update(shift: Shift, given: Partial<ShiftInput>): Promise<void> {
  const { uid, version, driver, truck, date, start, end } = shift
  const own = { uid, version, driverUid: driver?.uid ?? '', truckUid: truck.uid, date, start, end }
  const body = { ...own, programUid: program.uid, marketUid: market, ...given }
  expect((await call(shifts.update, { body })).status).toBe(200)
}

/** Makes notifications of what happened, as if the minute in which changes are gathered were over. */
async function notice(): Promise<void> {
  await outreach.handle()
  await db
    .updateTable('shift_notice')
    .set({ since: sql`now() - interval '2 minutes'` })
    .execute()
  await tellDrivers(db, outreach, Date.now())
  await deliver()
}

/** Everything that a driver can be notified of: a new shift, one that changes, one that is taken away, and a message. */
async function causeEverything(driverUid: string): Promise<void> {
  const [changed, taken] = [await addShift(driverUid), await addShift(driverUid, { date: '2099-11-20' })]
  await notice()
  await update(changed, { start: '21:00' })
  await call(shifts.remove, { params: { uid: taken.uid } })
  const data = { driverUid, text: MESSAGE }
  await recordEvents(db, [{ type: 'shift.dispatchMessage', object: `shift ${changed.uid}`, data }])
  await notice()
}

const ENGLISH = /\b(the|your|you|shift|shifts|truck|new|was|changed|canceled|hello|open|unsubscribe|now|before|link)\b/i
const SPANISH = /\b(su|usted|turno|turnos|camión|nuevo|hola|abrir|cancelado|ahora|antes|enlace)\b/i
const MESSAGE = 'El código es 4711'
/** What a text says beside links, the driver's name and what dispatch wrote. */
const ownWords = (text: string) =>
  text
    .replaceAll(/https?:\S+/g, '')
    .replace('The driver', '')
    .replace(MESSAGE, '')

test.each([
  ['es', ENGLISH],
  ['en', SPANISH],
] as const)('a driver whose language is %s gets every kind in it: mail, push and bell', async (language, other) => {
  const driver = await addDriver(language)
  await causeEverything(driver.uid)
  const bell = await driver.bell()
  // A kind that is added for drivers has to be caused here, in both languages.
  expect(bell.map(({ kind }) => kind).toSorted()).toEqual(notificationKinds.filter(isForDrivers).toSorted())
  expect(driver.mails()).toHaveLength(bell.length)
  expect(driver.pushes()).toHaveLength(bell.length)
  for (const { subject, text } of bell) {
    expect(ownWords(`${subject}\n${text}`)).not.toMatch(other)
    const mail = driver.mails().find((each) => each.subject === subject)
    expect(ownWords(mail?.text ?? '')).not.toMatch(other)
    expect(mail?.html).toContain(`<html lang="${language}">`)
    expect(driver.pushes()).toContainEqual(expect.objectContaining({ title: subject, body: text }))
  }
})

test('a Spanish notice has the day, the hours and the number of shifts as Spanish writes them', async () => {
  const driver = await addDriver('es')
  const shift = await addShift(driver.uid)
  await notice()
  const [mail] = driver.mails()
  expect(mail?.subject).toBe('Turno nuevo: mié, 18 nov 2099, 8:00 p. m.–2:00 a. m. CST')
  const place = `Summer, Dallas, camión ${shift.truck.name}`
  expect(mail?.text).toContain(`mié, 18 nov 2099, 8:00 p. m.–2:00 a. m. CST: ${place}`)
  expect(mail?.text).toContain('Hola, The driver:')
  expect(mail?.text).toContain(`Abrir en la aplicación:\nhttp://localhost:3000/driver/shifts/${shift.uid}`)
  const unsubscribe = /Cancelar suscripción: (\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  const page = await world.app.inject(new URL(unsubscribe).pathname + new URL(unsubscribe).search)
  expect(page.body).toContain('<html lang="es">')
  expect(page.body).toContain('Usted recibe “Turno nuevo” por correo.')
  await recordEvents(db, [
    {
      type: 'shift.dispatchMessage',
      object: `shift ${shift.uid}`,
      data: { driverUid: driver.uid, text: 'Llame' },
    },
  ])
  for (const date of ['2099-11-21', '2099-11-22']) await addShift(driver.uid, { date })
  await notice()
  expect(driver.pushes().map(({ title }) => title)).toContain('2 turnos nuevos')
  expect(driver.pushes().map(({ body }) => body)).toContain(
    `Llame\nTurno del mié, 18 nov, 8:00 p. m. CST, camión ${shift.truck.name}.`,
  )
})

test('without a choice it is the language of the browser that signed in last, for drivers', async () => {
  const driver = await addDriver(null)
  const signedIn = (language: Language | null, userUid = driver.uid) =>
    db.updateTable('session').set({ language }).where('user_uid', '=', userUid).execute()
  const subjects = async () => (await driver.bell()).map(({ subject }) => subject.split(':')[0])
  await outreach.tell({ kind: 'shiftGiven' }, { only: [driver.uid] })
  await signedIn('es')
  await outreach.tell({ kind: 'shiftGiven' }, { only: [driver.uid] })
  expect((await subjects()).map((subject) => subject?.split(' ')[0])).toEqual(['Asunto', 'Subject'])
  // Staff read the console, which is in English.
  await signedIn('es', world.people.admin.uid)
  await outreach.tell({ kind: 'backupFailed', subject: 'Backup failed' }, { only: [world.people.admin.uid] })
  await deliver()
  const [mail] = mailServer.received.map(readMail).filter(({ to }) => to === world.people.admin.email)
  expect(mail?.text).toContain('Hello The admin,')
})

test('mails about the account are in the driver’s language, and without a choice in that of the request', async () => {
  const { addPerson, addCodeApp, signIn } = openFactors(world)
  const driver = await addPerson('driver')
  const lastMail = async () => {
    const mail = world.mails.at(-1)
    if (mail) await mailer.send(mail)
    return readMail(mailServer.received.at(-1) ?? { from: '', to: [], user: undefined, message: '' })
  }
  const inSpanish = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' }
  const forgot = (email: string, headers: Record<string, string>) =>
    call(auth.forgotPasswordMail, { body: { email } }, { token: '', address: '10.9.0.1', headers })
  await forgot(driver.email, {})
  expect((await lastMail()).subject).toBe('Reset your Roadshow password')
  await forgot(driver.email, inSpanish)
  expect((await lastMail()).subject).toBe('Restablezca su contraseña de Roadshow')
  await forgot(world.people.sales.email, inSpanish)
  expect((await lastMail()).subject).toBe('Reset your Roadshow password')

  const body = { language: 'es' as const }
  expect((await call(driverProfile.update, { body }, { token: driver.token })).status).toBe(200)
  await forgot(driver.email, { 'accept-language': 'en-US' })
  const reset = await lastMail()
  expect(reset.subject).toBe('Restablezca su contraseña de Roadshow')
  expect(ownWords(reset.text)).not.toMatch(ENGLISH)
  await addCodeApp(driver)
  expect((await lastMail()).text).toContain('Se agregó una aplicación de autenticación a su cuenta de Roadshow.')
  await call(secondFactors.removeCodeApp, {}, { token: driver.token })
  expect((await lastMail()).text).toContain('Se quitó la aplicación de autenticación de su cuenta de Roadshow.')
  const token = await world.resetToken(driver.uid)
  await call(auth.passwordReset, { body: { token, password: 'four wheels and a drum' } }, { token: '' })
  expect((await lastMail()).subject).toBe('Se cambió su contraseña de Roadshow')
  expect((await signIn(driver.email, PASSWORD)).status).toBe(401)
})

test('no name of a kind is missing in Spanish, or the English one by oversight', () => {
  for (const kind of notificationKinds.filter(isForDrivers)) {
    expect(notificationWords.es.kinds[kind], kind).toBeTruthy()
    expect(notificationWords.es.kinds[kind]).not.toBe(notificationWords.en.kinds[kind])
  }
  expect(Object.keys(notificationWords.es).toSorted()).toEqual(Object.keys(notificationWords.en).toSorted())
})
