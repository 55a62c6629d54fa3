import type { AddressInfo } from 'node:net'
import { buildApp } from '../../app.ts'
import { connect } from '../../platform/db/connection.ts'
import { openLocalStore } from '../../platform/files/index.ts'
import { openSockets } from '../../platform/sockets/index.ts'
import { deviceChannels } from './index.ts'

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
