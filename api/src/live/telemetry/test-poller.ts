import { connect } from '../../platform/db/connection.ts'
import type { GeotabAccount } from './geotab-client.ts'
import { startPoller } from './poller.ts'

/** Polls until it is killed: one of the nodes of poller.test.ts. */
const [url = '', account = '', pageSize = ''] = process.argv.slice(2)
const { db } = connect(url)

startPoller({
  db,
  url,
  account: JSON.parse(account) as GeotabAccount,
  everyMs: 100,
  pageSize: Number(pageSize),
  log: () => {},
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
