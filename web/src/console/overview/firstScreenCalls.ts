import type { business } from '@roadshow/contract/console/business'
import type { photoQueue } from '@roadshow/contract/proof/photo-queue'
import { endpointWithoutSchemas } from '../../api/call.ts'

// The first screen does without the schemas of these calls. A test compares them with the contract.

export const figuresCall = endpointWithoutSchemas<typeof business.figures>({
  method: 'GET',
  path: 'overview/business',
  access: { module: 'clients', needs: 'view', reach: 'all' },
  follows: ['programs', 'shifts'],
  atLeastEvery: 300,
  atMostEvery: 120,
})

export const queueCall = endpointWithoutSchemas<typeof photoQueue.list>({
  method: 'GET',
  path: 'client-pop/photos/waiting/run',
  access: { module: 'pop', needs: 'edit', reach: 'all' },
  follows: ['photos', 'pops'],
})
