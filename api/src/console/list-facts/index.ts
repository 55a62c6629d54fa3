import { listFacts } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { factsOfClients } from './clients.ts'
import { factsOfPrograms } from './programs.ts'
import { factsOfTrucks } from './trucks.ts'
import { factsOfUsers } from './users.ts'

function listFactsRoutes(app: App): void {
  serve(app, listFacts.trucks, async ({ db, query }) => ({ data: await factsOfTrucks(db, query.truck) }))
  serve(app, listFacts.programs, async ({ db, scope, query }) => ({
    data: await factsOfPrograms(db, scope, query.program),
  }))
  serve(app, listFacts.clients, async ({ db, scope, query }) => ({
    data: await factsOfClients(db, scope, query.client),
  }))
  serve(app, listFacts.users, async ({ db, scope, query }) => ({ data: await factsOfUsers(db, scope, query.user) }))
}

/** What lists answer beside their records, for the rows of one page. */
export const listFactsModule = defineModule({ name: 'console/list-facts', routes: listFactsRoutes })
