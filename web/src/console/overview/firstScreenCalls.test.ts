import { business } from '@roadshow/contract/console/business'
import { photoQueue } from '@roadshow/contract/proof/photo-queue'
import { setup } from '@roadshow/contract/console/setup'
import { expect, test } from 'vitest'
import { setupCall } from '../setup/useSetupStanding.ts'
import { figuresCall, queueCall } from './firstScreenCalls.ts'

test('calls without their schemas say what the contract says', () => {
  expect(business.figures).toMatchObject(figuresCall)
  expect(photoQueue.list).toMatchObject(queueCall)
  expect(setup.standing).toMatchObject(setupCall)
})
