import { day } from '@roadshow/contract/platform/common'
import { daySheet } from '@roadshow/contract/planning/day-sheet'
import { shifts } from '@roadshow/contract/planning/shifts'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useMay } from '../../api/user.ts'
import { lazyForm, RecordDrawer } from '../../ui/record/RecordDrawer.tsx'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import { NEW_RECORD } from '../../ui/useListState.ts'
import { GhostContext } from './fill/ghosts.ts'
import type { GhostBoard } from './fill/ghosts.ts'
import { BoardToast } from './board/BoardToast.tsx'
import { ScheduleBoard } from './board/ScheduleBoard.tsx'
import { usePlanChanges } from './board/changes/usePlanChanges.ts'
import { ShiftList } from './ShiftList.tsx'
import { Toolbar, ViewSwitch } from './ScheduleToolbar.tsx'
import { TomorrowsAnswers } from './TomorrowsAnswers.tsx'
import { useSchedule } from './useSchedule.ts'
import { OutOfServiceButton } from './out-of-service/OutOfServiceButton.tsx'
import { OutOfServiceOverlay } from './out-of-service/OutOfServiceOverlay.tsx'
import { lazyOverlay, lazyPart } from '../../ui/lazyPart.tsx'

const ShiftForm = lazyForm(() => import('./ShiftForm.tsx'))
const CopyWeek = lazyOverlay(() => import('./board/changes/CopyWeek.tsx'))
const DaySheet = lazyPart(() => import('./day-sheet/DaySheet.tsx'))
const FillPanel = lazyPart(() => import('./fill/FillPanel.tsx'))
const UploadDrawer = lazyOverlay(() => import('./upload/UploadDrawer.tsx'))

export default function SchedulePage() {
  const schedule = useSchedule()
  const mayPlan = useMay(shifts.create)
  const planChanges = usePlanChanges()
  const [copying, showCopying] = useSearchParam('copy')
  const [uploading, showUploading] = useSearchParam('upload')
  // A drawer of its own that opens beside any screen.
  const [, showChanges] = useSearchParam('changes')
  const [filling, showFilling] = useSearchParam('fill')
  const [sheet, showSheet] = useSearchParam('sheet')
  const maySheet = useMay(daySheet.get)
  const [ghosts, setGhosts] = useState<GhostBoard>()
  const more: Record<string, [label: string, act: () => void]> = {
    copy: ['Copy week', () => showCopying('week')],
    upload: ['Upload', () => showUploading('file')],
    changes: ['Changes', () => showChanges('shift')],
    ...(maySheet && { sheet: ['Day sheet', () => showSheet(schedule.date)] }),
  }
  const actions = mayPlan && (
    <>
      {schedule.view === 'board' && <Button onClick={() => showFilling('shifts')}>Fill</Button>}
      <OutOfServiceButton />
      <Dropdown
        trigger={['click']}
        menu={{
          items: Object.entries(more).map(([key, [label]]) => ({ key, label })),
          onClick: ({ key }) => more[key]?.[1](),
        }}
      >
        <Button aria-haspopup="menu">More</Button>
      </Dropdown>
    </>
  )
  const { view, open } = schedule
  if (maySheet && day.safeParse(sheet).success) {
    return (
      <DaySheet
        date={String(sheet)}
        market={schedule.filters.market}
        onDate={showSheet}
        onClose={() => showSheet(undefined)}
      />
    )
  }
  return (
    <>
      {view === 'list' ? (
        <>
          <ViewSwitch schedule={schedule} />
          <TomorrowsAnswers today={schedule.today} />
          <ShiftList form={ShiftForm} actions={actions} />
        </>
      ) : (
        <>
          <Toolbar schedule={schedule} actions={actions} />
          {filling !== undefined && mayPlan && (
            <FillPanel
              schedule={schedule}
              planChanges={planChanges}
              onGhosts={setGhosts}
              onClose={() => showFilling(undefined)}
            />
          )}
          <GhostContext value={ghosts}>
            <ScheduleBoard schedule={schedule} planChanges={planChanges} />
          </GhostContext>
          <RecordDrawer
            form={ShiftForm}
            open={open === NEW_RECORD && !mayPlan ? undefined : open}
            onClose={() => schedule.show(undefined)}
          />
        </>
      )}
      <BoardToast outcome={planChanges.outcome} onDone={planChanges.dismiss} />
      {copying !== undefined && mayPlan && (
        <CopyWeek schedule={schedule} planChanges={planChanges} onClose={() => showCopying(undefined)} />
      )}
      <OutOfServiceOverlay />
      {uploading !== undefined && mayPlan && <UploadDrawer onClose={() => showUploading(undefined)} />}
    </>
  )
}
