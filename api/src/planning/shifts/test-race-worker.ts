import { AppError } from '../../platform/runtime/app-error.ts'
import { connect } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { createShift } from './save.ts'

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
