// The compiled API, joined with this file before the tests: from its sources it would take longer to load.
import type { GeotabAccount } from '@roadshow/api/live/telemetry/geotab-client'
import { startPoller } from '@roadshow/api/live/telemetry/poller'
import { connect } from '@roadshow/api/platform/db/connection'

/** Polls until it is killed: one of the nodes of poller.test.ts. */
const [url = '', account = '', pageSize = ''] = process.argv.slice(2)
const { db } = connect(url)

startPoller({
  db,
  account: JSON.parse(account) as GeotabAccount,
  everyMs: 100,
  pageSize: Number(pageSize),
  log: () => {},
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
