import { screenPairings } from '@roadshow/contract/catalog/devices'
import { trucks } from '@roadshow/contract/catalog/trucks'
import type { Truck } from '@roadshow/contract/catalog/trucks'
import { useNavigate } from '@tanstack/react-router'
import { Modal } from 'antd'
import { useMay } from '../../api/user.ts'
import { RecordSelect } from '../../ui/form/RecordSelect.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import { useSearchParam } from '../../ui/useSearchParam.ts'

const lookup: Lookup<Truck> = { list: trucks.list, sort: 'number', nameOf: ({ number }) => number }

/** Asks for the truck of a screen whose code a link brings along: `/trucks?pair=ACDEFGHJ`. */
export function PairingTruck() {
  const [code, setCode] = useSearchParam('pair')
  const [open] = useSearchParam('open')
  const mayPair = useMay(screenPairings.claim)
  const navigate = useNavigate()
  const choose = (uid: string | null) =>
    uid && void navigate({ to: '/trucks', search: { open: uid, tab: 'devices', pair: code } })
  return (
    <Modal
      open={mayPair && code !== undefined && open === undefined}
      title="Pair a screen"
      footer={null}
      onCancel={() => setCode(undefined)}
      width={416}
      centered
      destroyOnHidden
    >
      <p>Choose the truck that the screen {code} is on.</p>
      <RecordSelect
        lookup={lookup}
        aria-label="Truck"
        placeholder="Truck"
        style={{ width: '100%' }}
        // Inside the dialog, which would cover the list otherwise.
        getPopupContainer={(field: HTMLElement) => field.parentElement ?? document.body}
        onChange={choose}
      />
    </Modal>
  )
}
