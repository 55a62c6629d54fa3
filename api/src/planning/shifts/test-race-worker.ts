// The compiled API, joined with this file before the tests: from its sources it would take longer to load.
import { createShift } from '@roadshow/api/planning/shifts/save'
import { connect } from '@roadshow/api/platform/db/connection'
import type { Scope } from '@roadshow/api/platform/db/records/scope'
import { AppError } from '@roadshow/api/platform/runtime/app-error'

// A child process of race.test.ts: it saves each shift that its parent sends and sends the result back.
const [url = '', scope = ''] = process.argv.slice(2)
const { db, close } = connect(url)

process.on('message', (input: Parameters<typeof createShift>[2]) => {
  createShift(db, JSON.parse(scope) as Scope, input).then(
    (shift) => process.send?.({ shift }),
    (error: unknown) => process.send?.({ error: error instanceof AppError ? error.body : String(error) }),
  )
})
process.on('disconnect', () => void close())
process.send?.('ready')
