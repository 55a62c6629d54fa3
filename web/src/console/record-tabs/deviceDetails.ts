import { screens } from '@roadshow/contract/live/screens'
import { adLog } from '@roadshow/contract/proof/ad-log'
import { DeviceScreenHealth } from '../../live/screens/ScreenHealth.tsx'
import { PlayerNumbers } from '../../proof/reports/ad-log/PlayerNumbers.tsx'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'

/** The parts of a device that belong to other domains. */
const deviceDetails: readonly SlotPart<SlotProps['deviceDetails']>[] = [
  {
    key: 'screen',
    label: 'Screen',
    needs: screens.list,
    isShown: ({ device }) => device.kind === 'player',
    Content: DeviceScreenHealth,
  },
  {
    key: 'numbers',
    label: 'Play numbers',
    needs: adLog.device,
    isShown: ({ device }) => device.kind === 'player',
    Content: PlayerNumbers,
  },
]

export default deviceDetails
