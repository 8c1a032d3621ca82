export const alarms = {
  title: 'Alarms',
};
