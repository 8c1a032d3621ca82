export { modbusDriver } from './clients/modbus-driver.ts';
