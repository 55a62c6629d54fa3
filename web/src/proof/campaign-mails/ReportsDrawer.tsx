import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Drawer } from 'antd'
import { useState } from 'react'
import { ProgramMails } from './ReportMails.tsx'

interface ReportsDrawerProps {
  program: { uid: string; name: string }
  onClosed: () => void
}

/** The mailed reports of a program over another screen. */
export default function ReportsDrawer({ program, onClosed }: ReportsDrawerProps) {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <Drawer
      open={isOpen}
      onClose={() => setIsOpen(false)}
      afterOpenChange={(isShown) => !isShown && onClosed()}
      size={LARGE_DRAWER_WIDTH}
      title={program.name}
    >
      <ProgramMails program={program.uid} />
    </Drawer>
  )
}
