import { devices } from '@roadshow/contract/catalog/devices'
import { fleet } from '@roadshow/contract/live/fleet'
import { inspections } from '@roadshow/contract/live/inspections'
import { truckTrackers } from '@roadshow/contract/live/position-sources'
import { outOfServices } from '@roadshow/contract/planning/out-of-service'
import { shifts } from '@roadshow/contract/planning/shifts'
import { DevicesTab } from '../../catalog/devices/DevicesTab.tsx'
import { IssuesTab } from '../../live/issues/IssuesTab.tsx'
import { LiveTab } from '../../live/fleet/LiveTab.tsx'
import { MilesTab } from '../../live/fleet/MilesTab.tsx'
import { InspectionsTab } from '../../live/inspections/InspectionsTab.tsx'
import { TrackersTab } from '../../live/trackers/TrackersTab.tsx'
import { ShopTab } from '../../planning/shifts/out-of-service/ShopTab.tsx'
import { ShiftsTab } from '../../planning/shifts/user-schedule/ShiftsTab.tsx'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'

type Props = SlotProps['truckTabs']

/** The tabs of a truck's drawer that belong to other domains. */
const truckTabs: readonly SlotPart<Props>[] = [
  {
    key: 'live',
    label: 'Live',
    needs: fleet.track,
    // A retired truck is no longer tracked.
    isShown: ({ record }) => record.state !== 'retired',
    Content: ({ record }) => <LiveTab truckUid={record.uid} />,
  },
  {
    key: 'shop',
    label: 'Shop',
    needs: outOfServices.list,
    Content: ({ record }) => <ShopTab truckUid={record.uid} />,
  },
  {
    key: 'issues',
    label: 'Issues',
    needs: fleet.issues,
    Content: ({ record }) => <IssuesTab truckUid={record.uid} />,
  },
  {
    key: 'inspections',
    label: 'Inspections',
    needs: inspections.list,
    Content: ({ record }) => <InspectionsTab truckUid={record.uid} />,
  },
  {
    key: 'miles',
    label: 'Miles by day',
    needs: fleet.truckDays,
    Content: ({ record }) => <MilesTab truckUid={record.uid} />,
  },
  {
    key: 'devices',
    label: 'Devices',
    needs: devices.list,
    Content: ({ record }) => <DevicesTab truckUid={record.uid} />,
  },
  {
    key: 'trackers',
    label: 'Trackers',
    needs: truckTrackers.get,
    Content: ({ record }) => <TrackersTab truckUid={record.uid} />,
  },
  {
    key: 'shifts',
    label: 'Shifts',
    needs: shifts.list,
    Content: ({ record }) => <ShiftsTab of={{ truck: record.uid }} without={['truck']} />,
  },
]

export default truckTabs
