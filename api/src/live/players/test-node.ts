import type { AddressInfo } from 'node:net'
// The compiled API, joined with this file before the tests: from its sources it would take longer to load.
import { buildApp } from '@roadshow/api/app'
import { deviceChannels } from '@roadshow/api/live/players/index'
import { connect } from '@roadshow/api/platform/db/connection'
import { openLocalStore } from '@roadshow/api/platform/files/index'
import { openSockets } from '@roadshow/api/platform/sockets/index'

/** A node in a process of its own, which crash.test.ts kills; tells its parent where it listens. */
const [url = '', folder = ''] = process.argv.slice(2)
const { db } = connect(url)
const env = {
  brandName: 'Roadshow',
  publicUrl: 'http://localhost',
  logLevel: 'silent',
  trustProxy: 0,
  checkReplies: true,
}
const app = await buildApp({ db, env, blobs: await openLocalStore(folder), mailer: { send: async () => {} } })
await openSockets(app, url, { modules: [deviceChannels(app)] })
await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
