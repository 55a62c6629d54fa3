import { Modal, Select } from 'antd'
import { useId, useState } from 'react'
import { Stack } from '../../ui/layout.tsx'
import { countOf } from '@roadshow/contract/platform/figures'

interface ChooseMarketProps {
  /** The photos that are about to be approved and have no market. */
  names: readonly string[]
  markets: readonly { uid: string; name: string }[]
  busy: boolean
  onChoose: (marketUid: string) => void
  onCancel: () => void
}

// More names would not be read.
const NAMES_SHOWN = 5

/** Asks for the market of photos before they are approved: the page shows photos by market. */
export function ChooseMarket({ names, markets, busy, onChoose, onCancel }: ChooseMarketProps) {
  const [chosen, setChosen] = useState(markets.length === 1 ? markets[0]?.uid : undefined)
  const id = useId()
  const more = names.length - NAMES_SHOWN
  return (
    <Modal
      open
      title={
        names.length === 1
          ? 'Which market is this photo from?'
          : `Which market are ${countOf(names.length, 'photo')} from?`
      }
      okText="Approve"
      okButtonProps={{ disabled: chosen === undefined }}
      cancelText="Cancel"
      confirmLoading={busy}
      onOk={() => chosen !== undefined && onChoose(chosen)}
      onCancel={onCancel}
      width={416}
      centered
      destroyOnHidden
    >
      <p>
        {names.slice(0, NAMES_SHOWN).join(', ')}
        {more > 0 && ` and ${more} more`}. An approved photo appears on the page in its market.
      </p>
      {markets.length === 0 ? (
        <p>The program has no markets yet. Add one to the program first.</p>
      ) : (
        <Stack gap={1}>
          <label htmlFor={id}>Market</label>
          <Select
            id={id}
            placeholder="Choose a market"
            value={chosen ?? null}
            options={markets.map(({ uid: value, name: label }) => ({ value, label }))}
            onChange={(next) => setChosen(next ?? undefined)}
          />
        </Stack>
      )}
    </Modal>
  )
}
