import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { usePreferences } from '../../api/preferences.ts'
import { CheckboxChoice } from '../form/CheckboxChoice.tsx'
import { Soft, Stack } from '../layout.tsx'
import { useNotice } from '../notices.tsx'

interface ColumnsDrawerProps {
  list: Pick<Endpoint, 'path'>
  /** All columns of the list in their order; the first one always stays. */
  offered: readonly { key: string; title: string }[]
  shown: readonly { key: string }[]
  isChosen: boolean
  onClose: () => void
}

/** Which columns of a list a person sees. Each choice is kept at once. */
export default function ColumnsDrawer({ list, offered, shown, isChosen, onClose }: ColumnsDrawerProps) {
  const { choose } = usePreferences()
  const notice = useNotice()
  const [first, ...others] = offered
  const titleOf = (key: string) => others.find((column) => column.key === key)?.title
  const held = shown.slice(1).map(({ key }) => key)
  // A choice shows at once, and goes back if it cannot be kept.
  const [wanted, setWanted] = useState<string[]>()
  const keep = async (keys: string[] | null) => {
    try {
      await choose({ columns: { [list.path]: keys } })
    } catch (error) {
      notice(errorMessage(error), 'bad')
      setWanted(undefined)
    }
  }
  return (
    <Drawer
      open
      onClose={onClose}
      size={DRAWER_WIDTH}
      title="Columns"
      extra={
        isChosen && (
          <Button
            size="small"
            onClick={() => {
              setWanted(undefined)
              void keep(null)
            }}
          >
            Reset
          </Button>
        )
      }
    >
      <Stack gap={4}>
        <Soft as="p">{first?.title} is always shown. Columns that don’t fit your window are left out, last first.</Soft>
        <CheckboxChoice
          offered={others.map(({ key }) => key)}
          labelOf={titleOf}
          value={wanted ?? held}
          onChange={(keys) => {
            setWanted(keys)
            void keep([first?.key ?? '', ...keys])
          }}
        />
      </Stack>
    </Drawer>
  )
}
