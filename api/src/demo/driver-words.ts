/** What drivers of the demo say on their phones, and what dispatch answers. */
export const DECLINE_REASONS = ['Doctor’s appointment', 'Sick', 'Family matter', 'Car broke down']

export const CONVERSATIONS = [
  { said: 'Traffic on the highway is bad. I plan to leave 15 minutes early.', replied: 'Thanks, good idea.' },
  { said: 'Which gate of the yard is open on that day?', replied: 'The north gate. The code is on the board.' },
  { said: 'The client asked for a stop at the stadium. OK?', replied: 'OK, 20 minutes at most, please.' },
]

export const TRUCK_REQUEST = 'The planned truck has a dead battery.'

export const DEFECTS = [
  { item: 'Lights and reflectors', note: 'Left marker light is out.', repair: 'Bulb replaced.' },
  { item: 'Windshield wipers', note: 'Driver-side blade streaks.', repair: 'Both blades replaced.' },
  { item: 'Tires', note: 'Right rear tire is low.', repair: 'Nail removed, tire patched.' },
  { item: 'Screens', note: 'One panel on the rear is dim.', repair: 'Module swapped.' },
]
