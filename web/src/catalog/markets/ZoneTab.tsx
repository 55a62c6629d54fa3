import { markets } from '@roadshow/contract/catalog/markets'
import type { Market, ZoneChange } from '@roadshow/contract/catalog/markets'
import { formatDay } from '@roadshow/contract/platform/dates'
import { countOf } from '@roadshow/contract/platform/figures'
import { Alert, Button, Modal } from 'antd'
import { useId, useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useCall } from '../../api/useCall.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { List, Stack } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { ZoneSelect } from './ZoneSelect.tsx'

interface ZoneTabProps {
  market: Market
  /** The form of the market keeps its own edits. */
  follow: () => Promise<void>
}

/** The time zones of a market and the days on which they hold. */
export function ZoneTab({ market, follow }: ZoneTabProps) {
  const [isOpen, setIsOpen] = useState(false)
  const mayChange = useMay(markets.changeZone)
  const since = market.earlierZones.at(-1)?.until
  return (
    <Stack gap={3} align="start">
      <List gap={1} aria-label="Time zones">
        <li>{since === undefined ? market.zone : `${market.zone} from ${formatDay(since)}`}</li>
        {market.earlierZones.toReversed().map(({ zone, until }) => (
          <li key={until}>{`${zone} before ${formatDay(until)}`}</li>
        ))}
      </List>
      {mayChange && <Button onClick={() => setIsOpen(true)}>Change time zone</Button>}
      {isOpen && <ZoneDialog market={market} follow={follow} onClose={() => setIsOpen(false)} />}
    </Stack>
  )
}

/** What a change does, in sentences. */
const effectOf = ({ name }: Market, zone: string, { from, before, shifts }: ZoneChange): string => {
  const planned =
    shifts === 0
      ? 'No shift is planned from that day on.'
      : `${countOf(shifts, 'planned shift')} from that day on ${shifts === 1 ? 'keeps its' : 'keep their'} clock times.`
  return `${name} is in ${before} until ${formatDay(from)}, and in ${zone} from that day on. ${planned} Earlier shifts stay as they are.`
}

/** Asks for another zone and its first day, and says what it does to shifts before it is saved. */
function useZoneChange(market: Market) {
  const [chosen, setZone] = useState<string | null>(null)
  const [typed, setFrom] = useState<string | null>(null)
  const zone = chosen ?? market.zone
  const params = { uid: market.uid }
  const found = useCall(
    markets.zoneChange,
    { params, query: { zone, ...(typed && { from: typed }) } },
    { keepsOld: true },
  )
  const save = useSave(markets.changeZone)
  const effect = chosen === null || found.isPlaceholderData ? undefined : found.data
  return { chosen, setZone, from: typed ?? found.data?.from ?? null, setFrom, zone, params, found, effect, save }
}

function ZoneDialog({ market, follow, onClose }: ZoneTabProps & { onClose: () => void }) {
  const { chosen, setZone, from, setFrom, zone, params, found, effect, save } = useZoneChange(market)
  const notice = useNotice()
  const [zoneId, fromId] = [useId(), useId()]
  const isReady = effect !== undefined && effect.problem === null

  const change = async () => {
    if (!isReady) return
    try {
      await save.mutateAsync({ params, body: { version: market.version, zone, from: effect.from } })
    } catch {
      return // The dialog shows the error.
    }
    await follow()
    notice(`${market.name} is in ${zone} from ${formatDay(effect.from)}.`)
    onClose()
  }

  return (
    <Modal
      open
      title={`Change the time zone of ${market.name}?`}
      okText="Change time zone"
      okButtonProps={{ disabled: !isReady }}
      confirmLoading={save.isPending}
      cancelText="Cancel"
      onOk={() => void change()}
      onCancel={onClose}
      width={416}
    >
      <Stack gap={3}>
        <Stack gap={1}>
          <label htmlFor={zoneId}>New time zone</label>
          <ZoneSelect id={zoneId} value={chosen} onChange={setZone} placeholder={market.zone} />
        </Stack>
        <Stack gap={1}>
          <label htmlFor={fromId}>From</label>
          <DayPicker id={fromId} value={from} onChange={setFrom} isDraft />
        </Stack>
        {found.isError && <Alert type="error" role="alert" title={errorMessage(found.error)} />}
        {save.isError && <Alert type="error" role="alert" title={errorMessage(save.error)} />}
        {effect && effect.problem === null && <p>{effectOf(market, zone, effect)}</p>}
        {effect && effect.problem !== null && <Alert type="warning" title={effect.problem} />}
      </Stack>
    </Modal>
  )
}
