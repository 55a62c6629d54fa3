import { expect, test } from 'vitest'
import { endpoints, modules, ownRowKinds, rowAccessFor } from '../index.ts'

const nameOf = ({ method, path }: (typeof endpoints)[number]) => `${method} ${path}`
/** The calls that a client or a driver with every module makes for their own rows. */
const limited = endpoints.filter(
  ({ access }) =>
    access !== 'public' &&
    (['client', 'driver'] as const).some((role) => rowAccessFor({ role, modules }, access) === 'own'),
)

test('every call that a client or a driver may make says which rows it gives them', () => {
  expect(limited.filter(({ ownRows }) => ownRows === undefined).map(nameOf)).toEqual([])
  expect(limited.every(({ ownRows }) => ownRows && ownRowKinds.includes(ownRows))).toBe(true)
})

test('no other call says so', () => {
  const others = endpoints.filter((endpoint) => !limited.includes(endpoint) && endpoint.ownRows !== undefined)
  expect(others.map(nameOf)).toEqual([])
})
