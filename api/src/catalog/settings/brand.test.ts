import { auth, settings } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { applyBrand } from './brand.ts'

const world = await openWorld()
const { call, db, people, mails } = world

async function change(values: object) {
  const { version, values: current } = (await call(settings.get, {})).body.data
  return call(settings.update, { body: { ...current, ...values, version } })
}

/** The mail with a link to set a password, as this node writes it now. */
async function mailOf() {
  await call(auth.forgotPasswordMail, { body: { email: people.driver.email } })
  await world.deliverMails()
  return mails.at(-1)
}

test('the company’s name and color stand in mails from the next one on, and go when they are cleared', async () => {
  expect((await change({ companyName: 'Wheels & Ads', companyColor: '#1f6fb2' })).body.data.values).toMatchObject({
    companyName: 'Wheels & Ads',
    companyColor: '#1F6FB2',
  })
  const named = await mailOf()
  expect(named?.subject).toContain('Wheels & Ads')
  expect(named?.html).toContain('background-color:#1F6FB2')
  await change({ companyName: '', companyColor: null })
  const usual = await mailOf()
  expect(usual?.subject).toContain('Roadshow')
  expect(usual?.html).not.toContain('#1F6FB2')
})

test('another node takes them over, and goes by its own name without one', async () => {
  const other = { brandName: 'Other start' }
  await applyBrand(db, other)
  expect(other.brandName).toBe('Other start')
  await change({ companyName: 'Wheels & Ads' })
  await applyBrand(db, other)
  expect(other.brandName).toBe('Wheels & Ads')
  await change({ companyName: null })
  await applyBrand(db, other)
  expect(other.brandName).toBe('Other start')
})

test('refuses what is no color, no zone and no logo', async () => {
  const fieldsOf = async (more: object) => Object.keys((await change(more)).error.fields ?? {})
  expect(await fieldsOf({ companyColor: 'red' })).toEqual(['companyColor'])
  expect(await fieldsOf({ companyZone: 'Mars/North' })).toEqual(['companyZone'])
  expect(await fieldsOf({ companyLogoUid: people.admin.uid })).toEqual(['companyLogoUid'])
  expect(await fieldsOf({ companyName: 'x'.repeat(61) })).toEqual(['companyName'])
})
